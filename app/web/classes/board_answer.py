"""Reads the whole board of a class at this moment."""

from app.classroom.classes.board.board_rows import read_board
from app.classroom.classes.board.clusters import find_clusters
from app.classroom.classes.board.failures import Failures
from app.classroom.classes.class_faults import NoClass
from app.classroom.store.database import Database
from app.classroom.store.times import now_ms
from app.lessons.course.catalogue import Catalogue
from app.protocol.run import Lang
from app.web.classes.board_feed import BoardChange
from app.web.classes.board_words import BoardAnswer, BoardWords


async def read_answer(database: Database, failures: Failures, catalogue: Catalogue, class_id: int, lang: Lang) -> BoardAnswer:
    """Return the board of a class. The caller must have checked that the sender teaches it. Raises NoClass if it no longer exists."""
    board = await database.read(read_board, class_id, failures, now_ms())
    if board is None:
        raise NoClass
    rows = list(board.rows.values())
    change = BoardChange(at_ms=board.at_ms, rows=rows, gone=[], clusters=find_clusters(rows), limits=board.limits, whole=True)
    return BoardWords(catalogue, lang).answer(change)
