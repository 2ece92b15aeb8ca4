"""A property that is computed once, when it is first used, without a lock.

Before Python 3.12, functools.cached_property has one lock for all objects of a class. So the history of one
visitor's long text held up every other visitor's. The newer one has no lock, and neither has this.
"""

import sys
from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

__all__ = ["cached_property"]

T = TypeVar("T")

if sys.version_info >= (3, 12):
    from functools import cached_property as cached_property  # noqa: PLC0414
else:

    class cached_property(Generic[T]):  # noqa: N801 - named like the one in functools
        """See functools.cached_property. Two threads may both compute a value; the last one is kept."""

        def __init__(self, compute: Callable[[Any], T]) -> None:
            self.compute = compute
            self.__doc__ = compute.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self.name = name

        @overload
        def __get__(self, instance: None, owner: type) -> Self: ...

        @overload
        def __get__(self, instance: object, owner: type | None = None) -> T: ...

        def __get__(self, instance: object | None, owner: type | None = None) -> Self | T:
            if instance is None:
                return self
            value = self.compute(instance)
            instance.__dict__[self.name] = value  # found first from now on
            return value
