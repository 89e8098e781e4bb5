"""Settings of the store: where learners' work is stored, how much of it, and for how long."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field

from app.protocol.limits import MEBIBYTE
from app.setting_groups.database_address import check_database_url


class StoringSettings(BaseModel):
    """The database and its limits."""

    database_url: Annotated[str, AfterValidator(check_database_url)] | None = Field(
        default=None,
        description="The database: sqlite:////FILE or postgresql://USER:PASSWORD@HOST/NAME; unset: SQLite in the state folder.",
    )
    retention_days: int = Field(
        default=400, ge=0, le=36_500, description="Days after a learner's last visit until all their data are deleted; 0: never."
    )
    kept_bytes_per_learner: int = Field(
        default=64 * MEBIBYTE,
        ge=MEBIBYTE,
        le=16_384 * MEBIBYTE,
        description="Texts stored for one learner: drafts, their versions, submissions. Beyond that, nothing more is stored. "
        "The zip of an import may have a quarter of it, and at most 16 MiB.",
    )
    store_bytes: int | None = Field(
        default=None,
        ge=4 * MEBIBYTE,
        description="Size of the database. Beyond that, nothing more is stored; runs are not affected. Unset: half of the sum of its size "
        "and the free disk space when web starts; for PostgreSQL no limit.",
    )
    added_bytes_per_address: int = Field(
        default=256 * MEBIBYTE,
        ge=MEBIBYTE,
        le=1_048_576 * MEBIBYTE,
        description="What the learners of one network address (a classroom) may together add to the database at once, and again within "
        "each hour. Beyond that, nothing more of them is stored until later.",
    )
