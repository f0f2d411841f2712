"""The option tables, a file for each group of subcommands."""
