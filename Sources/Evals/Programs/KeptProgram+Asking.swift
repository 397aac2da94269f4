internal import Glibc
internal import JSON

/// How an answer is known to be that of a question.
///
/// Every line that is given has a number, `line_id`. A program that writes it back may be late, or write twice: what belongs
/// to an earlier line is dropped. Of one that does not, a line is an answer only where nothing else came: the end of a
/// question is held back until the program has taken the rest of it out of its input, so that whatever was there by then
/// was not an answer to it.
extension KeptProgram {
    enum Failure: Error, Equatable {
        case ended(String)
        case timedOut
        case lineTooLong
        case cancelled
        /// A line that is no JSON, or has a number that was not given; a part of a sentence.
        case wrong(String)
        /// Something behind the answer, as it came.
        case more(String)
        /// Something between two questions: no fault of the next one.
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
        // Where the search for the end of a line goes on.
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

    /// Writes a line up to its end, and waits until the program has taken it.
    private mutating func offer(_ line: [UInt8], _ check: () throws(Failure) -> Void) throws(Failure) {
        var left = line[...]
        var unasked = 0
        var pause = 0.000_02
        while true {
            left = left.dropFirst(write(left))
            // In this order: what it wrote before it took the last of the line is there when that is seen.
            let isTaken = left.isEmpty && (echoes || hasReadAll)
            drain()
            if !echoes, !rest.isEmpty {
                unasked += rest.count
                guard unasked <= limits.line else { throw .lineTooLong }
                // A greeting before the first question belongs to no line.
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

    /// Refuses what follows an answer: after the first one there is some time for it, later what is there already.
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
