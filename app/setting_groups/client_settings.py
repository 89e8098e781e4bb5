"""Settings of what one client, or one network address, may ask for, send and leave unread."""

from pydantic import BaseModel, Field

from app.protocol.limits import MEBIBYTE


class ClientSettings(BaseModel):
    """Rates, paces, connections and memory."""

    rate_per_learner: float = Field(
        default=5, gt=0, le=100_000, description="Runs that one learner may order each second, once the burst is used up."
    )
    burst_per_learner: float = Field(
        default=30, ge=1, le=1_000_000, description="Runs that one learner may order at once; 64 KiB of a large body count as one more."
    )
    rate_per_address: float = Field(
        default=50,
        gt=0,
        le=100_000,
        description="Runs that one network address may order each second, once the burst is used up.",
    )
    burst_per_address: float = Field(
        default=1000, ge=1, le=1_000_000, description="Runs that one network address (a classroom) may order at once."
    )
    newcomer_rate_per_address: float = Field(
        default=1,
        gt=0,
        le=100_000,
        description="Learners of one network address who may each second get their cookie, and order their first run, after the burst.",
    )
    newcomer_burst_per_address: float = Field(
        default=300,
        ge=1,
        le=1_000_000,
        description="Learners of one network address who may get their cookie, and order their first run, at once.",
    )
    pace_per_learner: float = Field(
        default=50,
        gt=0,
        le=100_000,
        description="Requests of one learner that begin each second, once the burst is used up; others wait.",
    )
    pace_burst_per_learner: float = Field(
        default=1000, ge=1, le=1_000_000, description="Requests of one learner that may begin at once: pages and all their files."
    )
    newcomer_pace_per_address: float = Field(
        default=200,
        gt=0,
        le=100_000,
        description="Requests without a cookie from one network address that begin each second; others wait.",
    )
    newcomer_pace_burst_per_address: float = Field(
        default=4000,
        ge=1,
        le=1_000_000,
        description="Requests without a cookie from one network address that may begin at once.",
    )
    request_bytes: int = Field(default=MEBIBYTE, ge=131_072, le=64 * MEBIBYTE, description="Body of one request to the API.")
    patience_seconds: float = Field(
        default=15,
        ge=1,
        le=50,
        description="How long a client may take to send the head of a request, may send nothing of its body, or may read "
        "nothing of an answer.",
    )
    connections_per_address: int = Field(
        default=2000,
        ge=10,
        le=100_000,
        description="Connections of one network address; beyond that, the one idle longest is closed. A trusted proxy has no such limit.",
    )
    learner_streams: int = Field(
        default=500,
        ge=1,
        le=100_000,
        description="Streams of learners in classes that a web process has open; one more ends the oldest, and that page asks again later.",
    )
    held_bytes_per_learner: int = Field(
        default=4 * MEBIBYTE,
        ge=MEBIBYTE,
        le=1024 * MEBIBYTE,
        description="Incomplete bodies and unread answers of one learner; beyond that, the slowest connection is closed. "
        "Never less than 2 × `GRADROOM_REQUEST_BYTES`, nor than one such body and an import.",
    )
    held_bytes_per_address: int = Field(
        default=64 * MEBIBYTE,
        ge=MEBIBYTE,
        le=4096 * MEBIBYTE,
        description="The same for one network address. Never less than 4 × `GRADROOM_REQUEST_BYTES`, nor than 4 imports.",
    )
    held_bytes: int = Field(
        default=128 * MEBIBYTE,
        ge=MEBIBYTE,
        le=16_384 * MEBIBYTE,
        description="The same, overall. Never less than 8 × `GRADROOM_REQUEST_BYTES`, nor than 8 imports.",
    )
    keep_alive_seconds: float = Field(
        default=15, gt=0, le=300, description="Silence on an event stream after which a keep-alive comment is sent."
    )
