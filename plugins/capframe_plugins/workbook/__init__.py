"""The workbook."""
