internal import LanguageModels
internal import Synchronization

/// One allowance of memory for all answers that come in at the same time, however many ask.
///
/// Each answer alone may be long; hundreds of endless ones together would take the machine's memory. Where the sum is over
/// the allowance, the largest of them is given up.
package final class AnswerMemory: Sendable {
    /// Of this process.
    static let shared = AnswerMemory(most: 512 << 20)
    /// Number of bytes above which a response is counted, so that ordinary responses never wait for each other.
    private static let least = 256 << 10

    private let most: Int
    private let all = Mutex<[ObjectIdentifier: Int]>([:])

    /// - Parameter most: bytes of all answers together.
    package init(most: Int) { self.most = most }

    /// The part of one answer; it is given back with the last reference.
    package final class Share {
        private let memory: AnswerMemory
        private var bytes = 0
        private var isCounted = false

        package init(_ memory: AnswerMemory) { self.memory = memory }

        deinit { if isCounted { memory.all.withLock { $0[ObjectIdentifier(self)] = nil } } }

        /// Counts bytes that have come.
        ///
        /// - Returns: `false` if the response must be canceled.
        package func take(_ count: Int) -> Bool {
            bytes += count
            guard bytes > AnswerMemory.least else { return true }
            defer { isCounted = true }
            return memory.note(ObjectIdentifier(self), bytes, isNew: !isCounted)
        }
    }

    /// An answer that is no longer among them was given up for another.
    private func note(_ share: ObjectIdentifier, _ bytes: Int, isNew: Bool) -> Bool {
        all.withLock { all in
            guard isNew || all[share] != nil else { return false }
            all[share] = bytes
            while all.values.reduce(0, +) > most, let largest = all.max(by: { $0.value < $1.value }) {
                all[largest.key] = nil
            }
            return all[share] != nil
        }
    }

    /// The sentence of an answer that was given up.
    static func failure(_ title: String) -> LanguageModelError {
        LanguageModelError(
            .protocolViolation, model: title,
            problem: "the responses in progress exceed \(shared.most >> 20) MiB, so Orrery canceled the longest one",
            remedy: "Request fewer tokens, or send fewer requests at once.")
    }

    /// Returns the maximum bytes of a response with `tokens` tokens; `nil` leaves it to other limits.
    static func longest(tokens: Int?) -> Int {
        guard let tokens, (0...1 << 40).contains(tokens) else { return .max }
        return 64 * tokens + (1 << 20)
    }

    /// Bytes that an answer in one piece may have, with all that stands around its text.
    ///
    /// - Parameter alternatives: told of each token, about a hundred bytes each.
    static func longestBody(tokens: Int?, alternatives: Int) -> Int {
        guard let tokens, (0...1 << 40).contains(tokens) else { return mostWhole }
        return min(mostWhole, (alternatives > 0 ? 16 << 10 : 256) * tokens + (4 << 20))
    }

    /// Maximum bytes of a response in one piece if the request sets no limit.
    private static let mostWhole = 64 << 20
    /// What a byte of an answer takes: of a stream its text and the room to grow, of one piece the bytes and their tree.
    static let (streamFactor, wholeFactor) = (2, 3)
}
