internal import Glibc
package import System

/// One connection to a PostgreSQL server.
///
/// Statements wait for the server in steps, so that each can be canceled: the server is asked to stop, and the
/// connection goes on.
package final class PostgreSQLConnection: @unchecked Sendable {  // used by one owner at a time
    /// Host and database, without what tells who one is.
    package let name: String
    private let library: LibPQ
    private let connection: LibPQ.Connection
    private let address: PostgreSQLAddress
    /// Whether the connection has unread data, so that it cannot be reused.
    private var isSpoiled = false

    /// Default time limit for connecting, in seconds.
    private static let patience = 15
    /// Interval between checks for cancellation during a wait, in milliseconds.
    private static let step: Int32 = 40

    /// - Parameter url: As libpq reads it: `postgresql://user@host:5432/db`, or `host=... dbname=...`.
    package init(_ url: String, isCancelled: () -> Bool = { false }) throws(Problem) {
        guard let library = LibPQ.shared else {
            throw Problem(
                .invalid, "postgresql", "libpq is not installed",
                remedy: "Install PostgreSQL's client library: apt install libpq5.")
        }
        let address = PostgreSQLAddress(url)
        guard address.isReadable else {
            throw Problem(
                .invalid, "postgresql", "invalid address",
                remedy:
                    "Use postgresql://user@host:5432/database. Escape special characters in the password, such as @ as %40."
            )
        }
        let words: [String] = ["application_name", "client_encoding", "dbname", "orrery", "UTF8", url]
        let texts = words.map { word in strdup(word) }
        defer { for text in texts { free(text) } }
        let pointers = texts.map { text in text.map { UnsafePointer($0) } }
        let started = library.connectStart(pointers[..<3] + [nil], pointers[3...] + [nil], 1)
        guard let started else { throw Problem(.limit, address.shown, "not enough memory for a connection") }
        self.library = library
        self.address = address
        connection = started
        name = address.shown
        // It would print them over the screen.
        _ = library.setNoticeProcessor(started, { _, _ in }, nil)
        // From here on a failure ends the connection: what is initialized is taken down.
        try connect(isCancelled)
    }

    deinit { library.finish(connection) }

    package var isOpen: Bool { !isSpoiled && library.status(connection) == LibPQ.connectionOK }

    private func connect(_ isCancelled: () -> Bool) throws(Problem) {
        let limit = Clock.now(.monotonic) + Double(max(2, address.timeout ?? Self.patience))
        // Writing comes first, as the library has it.
        var state: Int32 = 2
        while state != LibPQ.pollingOK {
            let isFailed = state == LibPQ.pollingFailed || library.status(connection) == 1
            guard !isFailed, Clock.now(.monotonic) < limit else {
                let reason = isFailed ? line(library.errorMessage(connection)) : "no reply"
                throw Problem(
                    .failed, name, "cannot connect (\(reason))",
                    remedy: "Check that the server is running and accepts your login.")
            }
            if isCancelled() { throw .cancelled(name) }
            if wait(for: state == LibPQ.pollingReading ? POLLIN : POLLOUT) { state = library.connectPoll(connection) }
        }
    }

    /// Whether something came within a step.
    private func wait(for event: Int32) -> Bool {
        var entry = pollfd(fd: library.socket(connection), events: Int16(event), revents: 0)
        return poll(&entry, 1, Self.step) != 0
    }

    // MARK: Statements

    /// Runs a statement, with parameters sent separately as text; without parameters, several statements are allowed.
    ///
    /// - Returns: Rows of text from the last statement that returns any; `nil` for null columns.
    @discardableResult
    package func run(
        _ statement: String, _ parameters: [String?] = [], isCancelled: () -> Bool = { false }
    ) throws(Problem) -> [[String?]] {
        let isSent: Bool
        if parameters.isEmpty {
            isSent = library.sendQuery(connection, statement) == 1
        } else {
            let texts = parameters.map { parameter in parameter.flatMap { strdup($0) } }
            defer { for text in texts { free(text) } }
            isSent =
                library.sendParameters(
                    connection, statement, Int32(parameters.count), nil,
                    texts.map { text in text.map { UnsafePointer($0) } }, nil, nil, 0)
                == 1
        }
        guard isSent else { throw failure(line(library.errorMessage(connection))) }
        return try results(isCancelled)
    }

    /// Sends rows in PostgreSQL's binary form of COPY.
    ///
    /// - Parameters:
    ///   - statement: `COPY ... FROM STDIN (FORMAT binary)`.
    ///   - bytes: With the header and the end of that form.
    func copy(_ statement: String, _ bytes: [UInt8], isCancelled: () -> Bool) throws(Problem) {
        guard library.sendQuery(connection, statement) == 1 else {
            throw failure(line(library.errorMessage(connection)))
        }
        // A cancel waits for the first rows: until then nothing is under way that it could end.
        try awaitAnswer { false }
        guard let first = library.nextResult(connection) else { throw failure(line(library.errorMessage(connection))) }
        let status = library.resultStatus(first)
        let reason = line(library.resultErrorMessage(first))
        library.clear(first)
        guard status == LibPQ.copyIn else {
            _ = try? results { false }
            throw failure(reason)
        }
        var isSent = true
        var isGivenUp = false
        bytes.withUnsafeBytes { raw in
            var done = 0
            while done < raw.count, isSent, !isGivenUp {
                isGivenUp = isCancelled()
                let count = min(raw.count - done, 1 << 20)
                let piece = (raw.baseAddress! + done).assumingMemoryBound(to: CChar.self)
                isSent = library.putCopyData(connection, piece, Int32(count)) == 1
                done += count
            }
        }
        guard isSent, library.putCopyEnd(connection, isGivenUp ? "cancelled" : nil) == 1 else {
            throw failure(line(library.errorMessage(connection)))
        }
        do throws(Problem) { _ = try results(isCancelled) } catch {
            throw isGivenUp ? .cancelled(name) : error
        }
    }

    /// Runs statements in one transaction: all of them, or none.
    package func transaction(
        _ begin: String = "BEGIN", _ body: () throws(Problem) -> Void
    ) throws(Problem) {
        do {
            try run(begin)
            try body()
            try run("COMMIT")
        } catch {
            if isOpen { _ = try? run("ROLLBACK") }
            throw error
        }
    }

    // MARK: Answers

    /// Waits until an answer can be read without waiting; a cancel is passed on to the server.
    private func awaitAnswer(_ isCancelled: () -> Bool) throws(Problem) {
        var given: Double?
        while library.isBusy(connection) == 1 {
            if wait(for: POLLIN), library.consumeInput(connection) == 0 {
                isSpoiled = true
                throw failure(line(library.errorMessage(connection)))
            }
            if let given {
                // The server does not react: abandon the connection together with the statement.
                guard Clock.now(.monotonic) - given < 5 else {
                    isSpoiled = true
                    throw .cancelled(name)
                }
            } else if isCancelled() {
                given = Clock.now(.monotonic)
                askToStop()
            }
        }
        // What was sent is answered in any case; that it was canceled is said after it was read.
        if given != nil {
            while let result = library.nextResult(connection) { library.clear(result) }
            throw .cancelled(name)
        }
    }

    private func askToStop() {
        guard let handle = library.getCancel(connection) else { return }
        var text = [CChar](repeating: 0, count: 256)
        _ = library.cancel(handle, &text, Int32(text.count))
        library.freeCancel(handle)
    }

    private func results(_ isCancelled: () -> Bool) throws(Problem) -> [[String?]] {
        var rows: [[String?]] = []
        var refusal: String?
        while true {
            try awaitAnswer(isCancelled)
            guard let result = library.nextResult(connection) else { break }
            defer { library.clear(result) }
            switch library.resultStatus(result) {
            case LibPQ.tuplesOK: rows = texts(of: result)
            case LibPQ.commandOK: break
            default: refusal = refusal ?? line(library.resultErrorMessage(result))
            }
        }
        if let refusal { throw failure(refusal) }
        guard isOpen else { throw failure(line(library.errorMessage(connection))) }
        return rows
    }

    private func texts(of result: LibPQ.Result) -> [[String?]] {
        let columns = library.columnCount(result)
        return (0..<library.rowCount(result)).map { row in
            (0..<columns).map { column in
                guard library.isNull(result, row, column) == 0 else { return nil }
                return library.value(result, row, column).map { String(cString: $0) }
            }
        }
    }

    private func failure(_ reason: String) -> Problem {
        isOpen
            ? Problem(.failed, name, "the server reported an error: \(reason)")
            : Problem(
                .invalid, name, "the connection broke (\(reason))",
                remedy: "The workspace is unchanged. Try again when the server is running.")
    }

    /// Returns the first line of what the library says, without a password and without what it calls an error.
    private func line(_ text: UnsafePointer<CChar>?) -> String {
        let all = text.map { String(cString: $0) } ?? ""
        var line = all.split(whereSeparator: \.isNewline).first.map(String.init) ?? "no reason given"
        for word in ["ERROR:", "FATAL:"] where line.hasPrefix(word) { line = String(line.dropFirst(word.count)) }
        return address.clean(line.drop { $0 == " " }.description)
    }
}
