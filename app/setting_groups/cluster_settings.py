"""Settings of several machines: where web finds their runners, and what a machine is called."""

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field, SecretStr

from app.protocol.load import NODE_NAME

SCHEME = "ray://"
ENTRY = re.compile(r"([\w.-]+|\[[0-9a-fA-F:.]+\]):\d{1,5}")


def check_entries(value: str) -> str:
    """Return the value. Raises ValueError unless it names entries."""
    entries = value.removeprefix(SCHEME).split(",")
    if not value.startswith(SCHEME) or not all(ENTRY.fullmatch(entry) for entry in entries):
        raise ValueError(f"{value!r} was given; expected ray://HOST:PORT, or ray://HOST:PORT,HOST:PORT")
    return value


class ClusterSettings(BaseModel):
    """The runners of a cluster, the token for them, and the name of this machine."""

    runner: Annotated[str, AfterValidator(check_entries)] | None = Field(
        default=None,
        description="Runners on several machines, as ray://HOST:PORT,HOST:PORT; unset: one runner on this machine, behind its socket.",
    )
    runner_token: SecretStr | None = Field(
        default=None,
        min_length=16,
        description="Token that web sends to the runners of GRADROOM_RUNNER; `gradroom cluster start` makes it.",
    )
    node: str = Field(
        default="", pattern=rf"^({NODE_NAME})?$", description="Name of this machine if it is one of several; run ids begin with it."
    )

    @property
    def entries(self) -> list[str]:
        """The entries of the cluster, or none if there is one machine."""
        return self.runner.removeprefix(SCHEME).split(",") if self.runner else []
