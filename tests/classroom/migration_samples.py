"""Migrations to later versions, which do not exist yet."""

from app.classroom.store.schema.schema import HEAD

NEXT, AFTER_NEXT = (f"{int(HEAD) + more:04}" for more in (1, 2))  # versions

# The first changes a table to which all others refer, which SQLite makes anew, and can be undone; the second loses data when it is undone.
LATER = f"""
import sqlalchemy as sa
from alembic import op

revision = "{NEXT}"
down_revision = "{HEAD}"


def upgrade() -> None:
    with op.batch_alter_table("learner") as table:
        table.add_column(sa.Column("nickname", sa.Text(), nullable=True))
        table.alter_column("lesson", type_=sa.Text())


def downgrade() -> None:
    with op.batch_alter_table("learner") as table:
        table.drop_column("nickname")
        table.alter_column("lesson", type_=sa.String(130))
"""
LAST = f"""
import sqlalchemy as sa
from alembic import op

revision = "{AFTER_NEXT}"
down_revision = "{NEXT}"


def upgrade() -> None:
    op.drop_table("kept_answer")
"""
BROKEN = LAST.replace('op.drop_table("kept_answer")', 'op.drop_table("kept_answer")\n    op.execute("nonsense")')
