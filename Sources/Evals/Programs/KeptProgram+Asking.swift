internal import Glibc
internal import JSON

/// Matches answers with requests.
///
/// Every line has a number, `line_id`. A program that writes it back may be late, or write twice: output for an earlier
/// line is dropped. For a program that does not, a line is an answer only if nothing else was written: the end of a
/// request is held back until the program has read the rest, so that output before then cannot be an answer to it.
extension KeptProgram {
    enum Failure: Error, Equatable {
        case ended(String)
        case timedOut
        case lineTooLong
        case cancelled
        /// A line that is not JSON, or has an unknown number; a part of a sentence.
        case wrong(String)
        /// Output after the answer, as written.
        case more(String)
        /// Output between two requests, which the next request is not to blame for.
        case stray(String)
    }

    /// Maximum number of characters of a line in an error message.
    private static let shown = 120
    /// Seconds to wait for more output after the first answer of a program that writes no line_id.
    private static let settling = 0.05

    /// Sends a line, given without its end, and returns the answer.
    ///
    /// - Parameter number: Number of the line, which grows from line to line.
    mutating func ask(
        _ line: [UInt8], number: Int, within seconds: Double, _ isCancelled: () -> Bool
    ) throws(Failure) -> JSONValue {
        begin()
        let start = ContinuousClock.now
        func check() throws(Failure) {
            if isCancelled() { throw .cancelled }
            guard ContinuousClock.now - start < .seconds(seconds) else { throw .timedOut }
        }
        try offer(line, check)
        var end = ArraySlice([UInt8(ascii: "\n")])
        // Where to continue the search for the end of a line.
        var searched = 0
        while true {
            end = end.dropFirst(write(end))
            while let feed = rest[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let piece = Array(rest[..<feed])
                rest.removeFirst(feed + 1)
                searched = 0
                guard let answer = try answer(piece, number) else { continue }
                if !echoes { try listen() }
                answered += 1
                drainErrors()
                return answer
            }
            searched = rest.count
            guard rest.count <= limits.line else { throw .lineTooLong }
            guard outputIsOpen else { throw .ended(ending()) }
            try check()
            wait(0.02, isWriting: !end.isEmpty)
        }
    }

    /// Writes a line, and waits until the program has read it.
    private mutating func offer(_ line: [UInt8], _ check: () throws(Failure) -> Void) throws(Failure) {
        var left = line[...]
        var unasked = 0
        var pause = 0.000_02
        while true {
            left = left.dropFirst(write(left))
            // This order matters: output from before the program read the end of the line is there when that is
            // noticed.
            let isTaken = left.isEmpty && (echoes || hasReadAll)
            drain()
            if !echoes, !rest.isEmpty {
                unasked += rest.count
                guard unasked <= limits.line else { throw .lineTooLong }
                // A greeting before the first request belongs to no line.
                if answered > 0, !isBlank(rest) { throw .stray(excerpt(rest)) }
                rest = []
            }
            if isTaken { return }
            guard outputIsOpen else {
                throw .ended(ending() + (unasked > 0 ? " after output without a request," : ""))
            }
            try check()
            wait(pause, isWriting: !left.isEmpty)
            pause = min(0.02, pause * 1.25)
        }
    }

    /// Returns the answer in a line; `nil` for an empty line, or one that belongs to an earlier request.
    private mutating func answer(_ line: [UInt8], _ number: Int) throws(Failure) -> JSONValue? {
        if isBlank(line) { return nil }
        guard let value = try? JSONValue(json: String(decoding: line, as: UTF8.self)) else {
            throw .wrong("the line is not valid JSON: \(excerpt(line))")
        }
        guard let told = value["line_id"], told != .null else {
            guard !echoes else {
                throw .wrong("the line has no line_id, but an earlier line had one: \(excerpt(line))")
            }
            return value
        }
        guard let told = told.int, told <= number else {
            throw .wrong("the line has an unknown line_id: \(excerpt(line))")
        }
        echoes = true
        return told == number ? value : nil
    }

    /// Throws for output after an answer: waits some time after the first answer, and checks what is there after later
    /// ones.
    private mutating func listen() throws(Failure) {
        if answered == 0 {
            let start = ContinuousClock.now
            while outputIsOpen, isBlank(rest), ContinuousClock.now - start < .seconds(Self.settling) {
                wait(Self.settling)
            }
        }
        drain()
        if !isBlank(rest) { throw .more(excerpt(rest)) }
        rest = []
    }

    private func isBlank(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { $0 <= 0x20 } }

    private func excerpt(_ bytes: [UInt8]) -> String {
        let line = bytes.drop { $0 <= 0x20 }.prefix { $0 != UInt8(ascii: "\n") }
        return String(decoding: line.prefix(Self.shown), as: UTF8.self) + (line.count > Self.shown ? "..." : "")
    }
}
