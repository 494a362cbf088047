import TablerCommand

Command.main()
