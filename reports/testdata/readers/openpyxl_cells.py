# Prints the cells of workbooks as openpyxl reads them.
import datetime, json, sys
import openpyxl

def plain(value):
    if value is None:
        return ""
    if isinstance(value, datetime.datetime):  # a number with the format of a date
        value = (value - datetime.datetime(1899, 12, 30)) / datetime.timedelta(days=1)
    if isinstance(value, datetime.time):
        raise ValueError("a time without a day")
    return value if isinstance(value, str) else repr(float(value))

books = {}
for name in sys.argv[1:]:
    book = openpyxl.load_workbook(name)
    books[name] = [{"name": s.title, "rows": [[plain(v) for v in row] for row in s.iter_rows(values_only=True)]} for s in book]
json.dump(books, sys.stdout)
