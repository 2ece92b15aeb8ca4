"""What one visitor has open: runs, the step, what each page remembers; saving it and opening it again."""
