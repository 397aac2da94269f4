/// An error for a terminal that cannot be drawn on.
public enum TerminalError: Error, Hashable, Sendable {
    /// Standard input or output is not a terminal.
    case notATerminal
    /// TERM is not set.
    case noType
    /// The terminal cannot move its cursor.
    case tooSimple(type: String)
    /// The terminfo database has no description of the terminal type.
    case unknownType(String)
    /// The terminfo database is missing.
    case noDescriptions
    /// This process is already using the terminal.
    case inUse
    /// A system call failed.
    case system(code: Int32)

    /// Problem and remedy, as one sentence or two.
    public var sentence: String {
        switch self {
        case .notATerminal:
            "Standard input or output is not a terminal. Use \"orrery show PANEL\" to print a panel."
        case .noType:
            "TERM is not set, so the terminal type is unknown. Set it, for example TERM=xterm-256color."
        case .tooSimple(let type):
            "The terminal type \"\(Quotation.of(type))\" cannot move its cursor. "
                + "Set TERM to the type of the terminal, for example xterm-256color."
        case .unknownType(let type):
            "The terminal type \"\(Quotation.of(type))\" is unknown. "
                + "Set TERM=xterm-256color, or install its description (Debian: ncurses-term)."
        case .noDescriptions:
            "The terminfo database is missing. Install it (Debian: ncurses-base), or set TERMINFO to its folder."
        case .inUse:
            "This process is already using the terminal. Stop the first use before starting another."
        case .system(let code):
            "The terminal could not be set up (error \(code)). Run \"orrery doctor\"."
        }
    }
}

extension TerminalError: CustomStringConvertible {
    public var description: String { sentence }
}
