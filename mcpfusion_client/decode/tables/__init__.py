"""What codes, numbers, classes and phrases mean; one line teaches one more.

No row names a server: a row is a kind of evidence that any server may send.
"""
