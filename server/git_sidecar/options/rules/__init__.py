"""What a call does, once its options are read: a file for each group of subcommands."""
