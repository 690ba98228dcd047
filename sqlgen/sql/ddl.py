"""One-line statements that need no template: to begin, make, copy, rename, drop, stop and end."""

from markupsafe import Markup

from sqlgen.sql.render import Statement, command

BEGIN = command("releasing/begin", "BEGIN TRANSACTION")
# From here on the release is visible.
COMMIT = command("releasing/commit", "COMMIT")


def create_as(kind: str, target: Markup, query: Markup) -> Statement:
    """The statement that makes a table or view out of a query.

    >>> print(create_as("VIEW", name(["ages"]), Markup("SELECT 1 AS age")).text)
    CREATE VIEW "ages" AS
    SELECT 1 AS age
    """
    return command(
        "releasing/create",
        "CREATE {kind} {target} AS\n{query}",
        kind=Markup(kind),
        target=target,
        query=query,
    )


def insert_into(target: Markup, query: Markup) -> Statement:
    """The statement that adds a query's rows to a table that has its definition already."""
    return command("releasing/insert", "INSERT INTO {target}\n{query}", target=target, query=query)


def copy_to(query: Markup, path: str, options: Markup) -> Statement:
    """The statement that writes a query's rows to a file, in a form that the options say."""
    return command(
        "releasing/copy",
        "COPY (\n  {query}\n) TO {path:literal} ({options})",
        query=query,
        path=path,
        options=options,
    )


def drop_table(table: Markup) -> Statement:
    """The statement that drops a table which must be there."""
    return command("releasing/drop_source", "DROP TABLE {table}", table=table)


def drop_if_there(kind: str, target: Markup) -> Statement:
    """The statement that drops a table or view of ours, or one to be replaced, where it is there.

    >>> print(drop_if_there("VIEW", name(["ages"])).text)
    DROP VIEW IF EXISTS "ages"
    """
    return command(
        "releasing/drop", "DROP {kind} IF EXISTS {target}", kind=Markup(kind), target=target
    )


def stop_where(label: str, condition: Markup, message: str, relation: Markup) -> Statement:
    """The statement that stops a script, and with it undoes what it did, where a condition holds.

    The error is the engine's own, whatever macros there are.

    >>> print(stop_where("guard", Markup("COUNT(*) > 0"), "it's there", name(["ages"])).text)
    SELECT CASE WHEN COUNT(*) > 0 THEN system.main.error('it''s there') END AS guard
    FROM "ages"
    """
    return command(
        label,
        "SELECT CASE WHEN {condition} THEN system.main.error({message:literal}) END AS guard\n"
        "FROM {relation}",
        condition=condition,
        message=message,
        relation=relation,
    )


def rename_table(table: Markup, new_name: str) -> Statement:
    """The statement that gives a table another name in its schema."""
    return command(
        "releasing/rename", "ALTER TABLE {table} RENAME TO {new:ident}", table=table, new=new_name
    )


def comment_on(kind: str, target: Markup, comment: str) -> Statement:
    """The statement that gives a table, a column or an index its comment.

    >>> print(comment_on("TABLE", name(["ages"]), "a person's").text)
    COMMENT ON TABLE "ages" IS 'a person''s'
    """
    return command(
        "releasing/comment",
        "COMMENT ON {kind} {target} IS {comment:literal}",
        kind=Markup(kind),
        target=target,
        comment=comment,
    )


def select_all(label: str, relation: Markup) -> Statement:
    """The statement that reads a relation as it is, under the label that a log shows for it."""
    return command(label, "SELECT * FROM {relation}", relation=relation)


def set_threads(threads: int) -> Statement:
    """The statement that says how many threads the engine uses from here on."""
    return command("releasing/threads", "SET threads = {threads}", threads=threads)
