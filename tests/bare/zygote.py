"""The real zygote with the bare runtime instead of a framework: `python -s -m tests.bare.zygote N`, as app.sandbox.zygote.zygote."""

from app.sandbox.zygote import zygote
from tests.bare.runtime import BareRuntime

if __name__ == "__main__":
    zygote.main(lambda _: BareRuntime())
