"""An instructor's pages of classes, without the board. A page looks its class up with who asks: others do not find it."""
