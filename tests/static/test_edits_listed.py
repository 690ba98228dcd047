"""The list of edits that tests must notice: each finds its place, and none is lost."""

from collections import Counter

from edits import CHECKS, read_edits

# How many edits of a room's templates are noticed: more is better, fewer is a claim lost.
NOTICED = {
    "auditing": 14,
    "engines": 2,
    "guarantees": 156,
    "hierarchies": 17,
    "history": 77,
    "judging": 69,
    "measuring": 31,
    "metrics": 47,
    "recodings": 200,
    "releasing": 6,
    "staging": 81,
}


def test_every_edit_finds_its_place() -> None:
    assert [str(edit) for edit in read_edits() if not edit.finds_its_place] == []


def test_every_edit_changes_something_once() -> None:
    edits = [(edit.template, edit.old, edit.new, edit.checks) for edit in read_edits()]
    assert [edit for edit, times in Counter(edits).items() if times > 1] == []
    assert [edit for edit in edits if edit[1] == edit[2]] == []


def test_every_edit_names_checks_that_there_are() -> None:
    edits = read_edits()
    assert {edit.checks for edit in edits} == CHECKS.keys()
    assert [
        str(edit) for edit in edits if edit.nearest not in ("", *CHECKS[edit.checks].by_name)
    ] == []


def test_no_rooms_edits_become_fewer() -> None:
    counts = Counter(edit.room for edit in read_edits())
    fewer = {room: counts[room] for room, kept in NOTICED.items() if counts[room] < kept}
    assert fewer == {}
