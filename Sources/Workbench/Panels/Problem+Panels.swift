internal import System

extension Problem {
    /// Returns an error for a record that was deleted while a panel still showed it.
    static func gone(_ what: String) -> Problem { Problem(.missing, "", "\(what) is no longer in the workspace") }

    /// Returns an error for an output file that already exists.
    static func exists(_ path: String) -> Problem {
        Problem(.invalid, "", "\(path) already exists", remedy: "Choose another name.")
    }
}
