"""Migrations of versions that are yet to come."""

# Changes a table that all others refer to, which SQLite makes anew, and is taken back; the next one loses something on its way down.
LATER = """
import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    with op.batch_alter_table("learner") as table:
        table.add_column(sa.Column("nickname", sa.Text(), nullable=True))
        table.alter_column("lesson", type_=sa.Text())


def downgrade() -> None:
    with op.batch_alter_table("learner") as table:
        table.drop_column("nickname")
        table.alter_column("lesson", type_=sa.String(130))
"""
LAST = """
import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.drop_table("kept_answer")
"""
BROKEN = LAST.replace('op.drop_table("kept_answer")', 'op.drop_table("kept_answer")\n    op.execute("nonsense")')
