"""Parse a small XML text that was made well-formed, defused and fast.

defusedxml's parser refuses DTDs, entity declarations and external references. Its
handlers build a full tree in Python; the ones here keep only what is read of an
envelope: tags, attributes, and the text before the first child.
"""

from collections.abc import Mapping
from typing import Any

from defusedxml.ElementTree import DefusedXMLParser


class Element(list["Element"]):
    """One element; a list of the elements in it.

    Attributes:
        tag: Its name.
        attrib: Its attributes.
        text: The text before its first child, None without any.
    """

    __slots__ = ("attrib", "tag", "text")

    tag: str
    attrib: Mapping[str, str]
    text: str | None


def parse(xml: str) -> Element:
    """Return the root element of *xml*.

    Raises:
        defusedxml.DefusedXmlException: It declares or refers to an entity.
        xml.parsers.expat.ExpatError: It is not well-formed.
    """
    top = Element()
    opened = [top]
    push, pop = opened.append, opened.pop
    found: list[str] = []

    def start(tag: str, attrib: Mapping[str, str]) -> None:
        parent = opened[-1]
        if found:
            if not parent:
                parent.text = "".join(found)
            found.clear()
        element = Element()
        element.tag = tag
        element.attrib = attrib
        element.text = None
        parent.append(element)
        push(element)

    def end(_tag: str) -> None:
        element = pop()
        if found:
            if not element:
                element.text = "".join(found)
            found.clear()

    parser: Any = DefusedXMLParser(target=_NO_TARGET, forbid_dtd=True)
    expat = parser.parser
    expat.ordered_attributes = False
    expat.DefaultHandlerExpand = None
    expat.StartElementHandler = start
    expat.EndElementHandler = end
    expat.CharacterDataHandler = found.append
    try:
        expat.Parse(xml, True)  # noqa: FBT003 - expat takes no keywords
    finally:
        # The parser and expat hold each other; without this the memory of every
        # text waits for the garbage collector.
        del parser.parser, parser._parser  # noqa: SLF001 - as its own `close` does
    return top[0]


_NO_TARGET = object()
"""A target that asks for no handlers: the ones of `parse` stand in their place."""
