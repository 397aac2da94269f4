internal import CTerminal

extension Terminal {
    /// The release of ncurses: `ncurses 6.4.20221231`.
    public static var cursesVersion: String { String(cString: cterminal_curses_version()) }
}
