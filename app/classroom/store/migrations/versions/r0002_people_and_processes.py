"""People who sign in, the notices between web processes, and the version of an exercise by which an attempt was graded.

Going back would lose people: restore an earlier backup instead.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("attempt", sa.Column("version", sa.String(length=64), nullable=True))
    op.create_table(
        "person",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("name_key", sa.String(length=64), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("password", sa.String(length=255), nullable=True),
        sa.Column("made_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_person"),
        sa.UniqueConstraint("name_key", name="uq_person_name_key"),
    )
    op.create_table(
        "sign_in_link",
        sa.Column("token_sha256", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("expires_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_sign_in_link_person_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token_sha256", name="pk_sign_in_link"),
    )
    op.create_index("ix_sign_in_link_person_id", "sign_in_link", ["person_id"], unique=False)
    op.create_table(
        "person_session",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("token_sha256", sa.String(length=64), nullable=False),
        sa.Column("made_ms", sa.BigInteger(), nullable=False),
        sa.Column("seen_ms", sa.BigInteger(), nullable=False),
        sa.Column("client", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_person_session_person_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_person_session"),
        sa.UniqueConstraint("token_sha256", name="uq_person_session_token_sha256"),
    )
    op.create_index("ix_person_session_person_id", "person_session", ["person_id"], unique=False)
    op.create_table(
        "wrong_sign_in",
        sa.Column("source", sa.String(length=160), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("last_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("source", name="pk_wrong_sign_in"),
    )
    op.create_index("ix_wrong_sign_in_last_ms", "wrong_sign_in", ["last_ms"], unique=False)
    op.create_table(
        "audit_entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("actor", sa.String(length=80), nullable=False),
        sa.Column("action", sa.String(length=40), nullable=False),
        sa.Column("subject", sa.String(length=80), nullable=True),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit_entry"),
    )
    op.create_index("ix_audit_entry_at_ms", "audit_entry", ["at_ms"], unique=False)
    op.create_index("ix_audit_entry_subject", "audit_entry", ["subject"], unique=False)
    op.create_table(
        "forgotten_learner",
        sa.Column("name_sha256", sa.String(length=64), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name_sha256", name="pk_forgotten_learner"),
    )
    op.create_index("ix_forgotten_learner_at_ms", "forgotten_learner", ["at_ms"], unique=False)
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
    )
    op.create_index("ix_outbox_at_ms", "outbox", ["at_ms"], unique=False)
    op.create_table(
        "address_addition",
        sa.Column("address", sa.String(length=64), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("address", name="pk_address_addition"),
    )
    op.create_index("ix_address_addition_at_ms", "address_addition", ["at_ms"], unique=False)
