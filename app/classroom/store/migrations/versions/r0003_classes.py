"""Classes: who teaches them, their lessons, and who is in them with hands, notes and points.

Going back would lose classes: restore an earlier backup instead.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "school_class",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("code", sa.String(length=16), nullable=False),
        sa.Column("joining", sa.Boolean(), nullable=False),
        sa.Column("asks_number", sa.Boolean(), nullable=False),
        sa.Column("solutions", sa.String(length=20), nullable=True),
        sa.Column("stuck_tries", sa.Integer(), nullable=False),
        sa.Column("stuck_minutes", sa.Integer(), nullable=False),
        sa.Column("counting", sa.String(length=16), nullable=False),
        sa.Column("counted_attempt", sa.String(length=16), nullable=False),
        sa.Column("until_ms", sa.BigInteger(), nullable=True),
        sa.Column("after_solution", sa.Boolean(), nullable=False),
        sa.Column("retention_days", sa.Integer(), nullable=True),
        sa.Column("made_ms", sa.BigInteger(), nullable=False),
        sa.Column("archived_ms", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_school_class"),
        sa.UniqueConstraint("code", name="uq_school_class_code"),
    )
    op.create_table(
        "class_lesson",
        sa.Column("class_id", sa.Integer(), nullable=False),
        sa.Column("lesson", sa.String(length=130), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("opens_ms", sa.BigInteger(), nullable=True),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["class_id"], ["school_class.id"], name="fk_class_lesson_class_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("class_id", "lesson", name="pk_class_lesson"),
    )
    op.create_table(
        "class_staff",
        sa.Column("class_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.ForeignKeyConstraint(["class_id"], ["school_class.id"], name="fk_class_staff_class_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_class_staff_person_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("class_id", "person_id", name="pk_class_staff"),
    )
    op.create_index("ix_class_staff_person_id", "class_staff", ["person_id"], unique=False)
    op.create_table(
        "member",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("class_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("name_key", sa.String(length=64), nullable=False),
        sa.Column("number", sa.String(length=32), nullable=True),
        sa.Column("resume_sha256", sa.String(length=64), nullable=True),
        sa.Column("joined_ms", sa.BigInteger(), nullable=True),
        sa.Column("left_ms", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["class_id"], ["school_class.id"], name="fk_member_class_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_member"),
        sa.UniqueConstraint("class_id", "number", name="uq_member_class_id_number"),
        sa.UniqueConstraint("resume_sha256", name="uq_member_resume_sha256"),
    )
    op.create_table(
        "member_learner",
        sa.Column("class_id", sa.Integer(), nullable=False),
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("member_id", sa.Integer(), nullable=False),
        sa.Column("since_ms", sa.BigInteger(), nullable=False),
        sa.Column("lesson", sa.String(length=130), nullable=True),
        sa.Column("exercise", sa.String(length=64), nullable=True),
        sa.Column("here_ms", sa.BigInteger(), nullable=True),
        sa.Column("active_ms", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["class_id"], ["school_class.id"], name="fk_member_learner_class_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["learner_id"], ["learner.id"], name="fk_member_learner_learner_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["member_id"], ["member.id"], name="fk_member_learner_member_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("class_id", "learner_id", name="pk_member_learner"),
    )
    op.create_index("ix_member_learner_learner_id", "member_learner", ["learner_id"], unique=False)
    op.create_index("ix_member_learner_member_id", "member_learner", ["member_id"], unique=False)
    op.create_table(
        "note",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("member_id", sa.Integer(), nullable=False),
        sa.Column("attempt_id", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("author", sa.String(length=64), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("read_ms", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempt.id"], name="fk_note_attempt_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["member_id"], ["member.id"], name="fk_note_member_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_note"),
    )
    op.create_index("ix_note_attempt_id", "note", ["attempt_id"], unique=False)
    op.create_index("ix_note_member_id", "note", ["member_id"], unique=False)
    op.create_table(
        "points_override",
        sa.Column("member_id", sa.Integer(), nullable=False),
        sa.Column("lesson", sa.String(length=130), nullable=False),
        sa.Column("exercise", sa.String(length=64), nullable=False),
        sa.Column("hundredths", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("author", sa.String(length=64), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["member_id"], ["member.id"], name="fk_points_override_member_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("member_id", "lesson", "exercise", name="pk_points_override"),
    )
    op.create_table(
        "raised_hand",
        sa.Column("member_id", sa.Integer(), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=True),
        sa.Column("lesson", sa.String(length=130), nullable=True),
        sa.Column("exercise", sa.String(length=64), nullable=True),
        sa.Column("shares", sa.Boolean(), nullable=False),
        sa.Column("helper", sa.String(length=64), nullable=True),
        sa.Column("coming_ms", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["member_id"], ["member.id"], name="fk_raised_hand_member_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("member_id", name="pk_raised_hand"),
    )
