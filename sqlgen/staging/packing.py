"""Packed labels: a cell's ids at every level as bits of a few words, so that a class is one key."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from sqlgen.search.lattice import Node
from sqlgen.sql.render import each, fragment, joined

# A BIGINT without its sign.
_WORD_BITS = 63


@dataclass(frozen=True)
class Field:
    """The bits of a word, counted from 1, that hold a ladder's id at one level."""

    word: int
    shift: int
    bits: int

    @property
    def ones(self) -> int:
        """The largest id that fits, whose bits are all set."""
        return (1 << self.bits) - 1

    @property
    def id(self) -> Markup:
        """The id, out of the word, in the narrowest type: one-byte ids are grouped by soonest."""
        narrow = "UTINYINT" if self.bits <= 8 else "USMALLINT" if self.bits <= 16 else "UINTEGER"
        return fragment(
            "staging/id",
            word=word_name(self.word),
            shift=self.shift,
            ones=self.ones,
            type=Markup(narrow),
        )


@dataclass(frozen=True)
class Packing:
    """Where the ids stand that each ladder, by its number, has at each level below the top."""

    fields: Mapping[tuple[int, int], Field]

    @property
    def words(self) -> list[int]:
        """The numbers of all words."""
        return sorted({field.word for field in self.fields.values()})

    def ladders_in(self, word: int) -> list[int]:
        """The numbers of the ladders that have ids in a word."""
        return sorted({number for (number, _), field in self.fields.items() if field.word == word})

    def word_fragment(self, word: int) -> Markup:
        """A word of a row: what each of its ladders adds to it."""
        aliases = [Markup(f"q{number:d}") for number in self.ladders_in(word)]
        name = word_name(word)
        return joined(each(aliases, "{}.{name}", name=name), " | ") + each([name], " AS {}")[0]

    def words_of(self, number: int) -> list[Markup]:
        """The words that a ladder has ids in, as its own columns."""
        return [
            fragment("staging/word", fields=self.fields_in(word, number), name=word_name(word))
            for word in self.words
            if number in self.ladders_in(word)
        ]

    def fields_in(self, word: int, number: int) -> list[tuple[int, int]]:
        """The levels of a ladder whose ids stand in a word, each with its shift."""
        return [
            (level, field.shift)
            for (owner, level), field in self.fields.items()
            if owner == number and field.word == word
        ]

    def masks(self, node: Node) -> list[int]:
        """Per word the bits that tell the classes of a node apart.

        >>> Packing({(1, 0): Field(1, 0, 3), (1, 1): Field(1, 3, 1)}).masks((1,))
        [8]
        """
        masks = dict.fromkeys(self.words, 0)
        for place in enumerate(node, 1):
            if field := self.fields.get(place):
                masks[field.word] |= field.ones << field.shift
        return list(masks.values())

    def words_under(self, node: Node) -> list[tuple[Markup, int]]:
        """The cells' words, each with the mask under which it tells the classes of a node apart."""
        return list(zip(map(word_name, self.words), self.masks(node), strict=True))

    def ids(self, node: Node) -> list[Markup]:
        """The ids by which the classes of a node are told apart, out of those words."""
        return [field.id for place in enumerate(node, 1) if (field := self.fields.get(place))]


def word_name(word: int) -> Markup:
    """The cells' column that holds a word."""
    return Markup(f"word_{word}")


def column_name(number: int, level: int) -> str:
    """The column that holds a ladder's ids at a level, where they are columns of their own."""
    return f"q{number}_{level}"


def pack(heights: Sequence[int], largest: Mapping[tuple[int, int], int]) -> Packing:
    """A place for the ids of every level below the top, words being filled in order.

    ``largest`` has the largest id by ladder and level, where there is any.

    >>> pack([2], {(1, 0): 40_000, (1, 1): 9}).fields[1, 1]
    Field(word=1, shift=16, bits=4)
    """
    fields = {}
    word, used = 1, 0
    for number, height in enumerate(heights, 1):
        for level in range(height):
            bits = max(1, largest.get((number, level), 0).bit_length())
            if used + bits > _WORD_BITS:
                word, used = word + 1, 0
            fields[number, level] = Field(word, used, bits)
            used += bits
    return Packing(fields)
