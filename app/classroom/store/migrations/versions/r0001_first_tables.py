"""The first tables. There is no earlier version to go back to."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "learner",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("made_ms", sa.BigInteger(), nullable=False),
        sa.Column("seen_ms", sa.BigInteger(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.Column("lesson", sa.String(length=130), nullable=True),
        sa.Column("reviews", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_learner"),
        sa.UniqueConstraint("name", name="uq_learner_name"),
    )
    op.create_index("ix_learner_seen_ms", "learner", ["seen_ms"], unique=False)
    op.create_table(
        "attempt",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("lesson", sa.String(length=130), nullable=False),
        sa.Column("exercise", sa.String(length=64), nullable=False),
        sa.Column("key", sa.String(length=128), nullable=True),
        sa.Column("receipt", sa.String(length=32), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("run_id", sa.String(length=64), nullable=False),
        sa.Column("passed", sa.Boolean(), nullable=False),
        sa.Column("good", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("mistake", sa.String(length=64), nullable=True),
        sa.Column("imported", sa.Boolean(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["learner_id"], ["learner.id"], name="fk_attempt_learner_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_attempt"),
        sa.UniqueConstraint("learner_id", "lesson", "exercise", "key", name="uq_attempt_learner_id_lesson_exercise_key"),
        sa.UniqueConstraint("learner_id", "receipt", name="uq_attempt_learner_id_receipt"),
    )
    op.create_index(
        "ix_attempt_exercise",
        "attempt",
        ["learner_id", "lesson", "exercise", "id", "receipt", "at_ms", "passed", "good", "total", "imported"],
        unique=False,
    )
    op.create_table(
        "done_cell",
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("lesson", sa.String(length=130), nullable=False),
        sa.Column("cell", sa.String(length=64), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["learner_id"], ["learner.id"], name="fk_done_cell_learner_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("learner_id", "lesson", "cell", name="pk_done_cell"),
    )
    op.create_table(
        "draft",
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("lesson", sa.String(length=130), nullable=False),
        sa.Column("cell", sa.String(length=64), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("source", sa.Text(), nullable=True),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["learner_id"], ["learner.id"], name="fk_draft_learner_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("learner_id", "lesson", "cell", name="pk_draft"),
    )
    op.create_table(
        "draft_version",
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("lesson", sa.String(length=130), nullable=False),
        sa.Column("cell", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("why", sa.String(length=16), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["learner_id"], ["learner.id"], name="fk_draft_version_learner_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("learner_id", "lesson", "cell", "number", name="pk_draft_version"),
    )
    op.create_table(
        "prediction",
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("lesson", sa.String(length=130), nullable=False),
        sa.Column("prediction", sa.String(length=64), nullable=False),
        sa.Column("about", sa.String(length=64), nullable=False),
        sa.Column("first_answer", sa.Text(), nullable=False),
        sa.Column("first_right", sa.Boolean(), nullable=True),
        sa.Column("first_ms", sa.BigInteger(), nullable=False),
        sa.Column("last_answer", sa.Text(), nullable=False),
        sa.Column("last_right", sa.Boolean(), nullable=True),
        sa.Column("last_ms", sa.BigInteger(), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("card", sa.Text(), nullable=True),
        sa.Column("due_ms", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["learner_id"], ["learner.id"], name="fk_prediction_learner_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("learner_id", "lesson", "prediction", name="pk_prediction"),
    )
    op.create_index("ix_prediction_learner_id_due_ms", "prediction", ["learner_id", "due_ms"], unique=False)
    op.create_table(
        "standing",
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("lesson", sa.String(length=130), nullable=False),
        sa.Column("exercise", sa.String(length=64), nullable=False),
        sa.Column("standing", sa.String(length=16), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("hints", sa.Integer(), nullable=False),
        sa.Column("passed_ms", sa.BigInteger(), nullable=True),
        sa.Column("shown_ms", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["learner_id"], ["learner.id"], name="fk_standing_learner_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("learner_id", "lesson", "exercise", name="pk_standing"),
    )
    op.create_table(
        "kept_answer",
        sa.Column("attempt_id", sa.Integer(), nullable=False),
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempt.id"], name="fk_kept_answer_attempt_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["learner_id"], ["learner.id"], name="fk_kept_answer_learner_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("attempt_id", name="pk_kept_answer"),
    )
    op.create_index("ix_kept_answer_at_ms", "kept_answer", ["at_ms"], unique=False)
    op.create_index("ix_kept_answer_learner_id", "kept_answer", ["learner_id"], unique=False)
