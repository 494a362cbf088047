import Testing

@testable import TablerCommand

@Suite struct CommandTests {}
