/// Why the screen cannot be drawn on.
public enum TerminalError: Error, Hashable, Sendable {
    /// Standard input or output is a file or a pipe.
    case notATerminal
    /// The environment does not say what terminal this is.
    case noType
    /// The terminal cannot place its cursor.
    case tooSimple(type: String)
    /// There is no description of this type of terminal.
    case unknownType(String)
    /// There are no descriptions of terminals at all.
    case noDescriptions
    /// The terminal has been taken already.
    case inUse
    /// The operating system refused.
    case system(code: Int32)

    /// What happened and what to do.
    public var sentence: String {
        switch self {
        case .notATerminal:
            "orrery needs a terminal, and standard input or output is none: use \"orrery show PANEL\" to print a panel."
        case .noType:
            "TERM is not set, so the kind of terminal is unknown: set it, for example TERM=xterm-256color."
        case .tooSimple(let type):
            "The terminal type \"\(Quotation.of(type))\" cannot place its cursor: "
                + "set TERM to what the terminal is, for example xterm-256color."
        case .unknownType(let type):
            "The terminal type \"\(Quotation.of(type))\" is unknown here: "
                + "set TERM=xterm-256color, or install its description (Debian: ncurses-term)."
        case .noDescriptions:
            "No descriptions of terminals are installed: install them (Debian: ncurses-base) or set TERMINFO."
        case .inUse:
            "The terminal is in use by this process already."
        case .system(let code):
            "The terminal could not be set up (error \(code)): run \"orrery doctor\"."
        }
    }
}

extension TerminalError: CustomStringConvertible {
    public var description: String { sentence }
}
