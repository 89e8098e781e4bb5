split(Copy.apply, Sum.apply)
