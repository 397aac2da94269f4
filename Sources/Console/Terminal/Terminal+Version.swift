internal import CTerminal

extension Terminal {
    /// Version of ncurses, such as `ncurses 6.4.20221231`.
    public static var cursesVersion: String { String(cString: cterminal_curses_version()) }
}
