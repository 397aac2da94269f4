internal import LanguageModels

/// The links between a trace's messages: conversations are ways from a message back to a root, and share beginnings.
///
/// Only numbers are kept, four bytes a link, so that walking a conversation of a hundred thousand messages takes less
/// than a frame. A link that does not lead to an earlier message, as a damaged trace may hold, is a conversation's
/// start: no walk can go in circles.
struct MessageTree: Sendable {
    /// The message before; -1 at the start of a conversation.
    let previous: [Int32]
    /// Messages from the start of the conversation up to and including this one.
    let depth: [Int32]

    /// O(messages).
    init(_ messages: [MessageEntry]) {
        var previous = [Int32](repeating: -1, count: messages.count)
        var depth = [Int32](repeating: 1, count: messages.count)
        for message in messages.indices {
            guard let before = messages[message].previous, before >= 0, before < message else { continue }
            previous[message] = Int32(before)
            depth[message] = depth[before] + 1
        }
        self.previous = previous
        self.depth = depth
    }

    var count: Int { previous.count }

    /// Returns a recorded head as a message of this tree; -1 if it is missing or invalid.
    func head(_ recorded: Int?) -> Int32 {
        guard let recorded, recorded >= 0, recorded < count else { return -1 }
        return Int32(recorded)
    }

    /// The conversation up to a message, oldest first. O(its length).
    func conversation(endingAt head: Int32) -> [Int32] {
        guard head >= 0 else { return [] }
        let length = Int(depth[Int(head)])
        return [Int32](unsafeUninitializedCapacity: length) { buffer, count in
            var message = head
            for place in stride(from: length - 1, through: 0, by: -1) {
                buffer.initializeElement(at: place, to: message)
                message = previous[Int(message)]
            }
            count = length
        }
    }

    /// How many messages two conversations have in common. O(what they do not).
    func shared(_ one: Int32, _ other: Int32) -> Int {
        var one = one
        var other = other
        while one != other {
            guard one >= 0, other >= 0 else { return 0 }
            // The later of two messages cannot be an ancestor of the earlier.
            if one > other { one = previous[Int(one)] } else { other = previous[Int(other)] }
        }
        return one >= 0 ? Int(depth[Int(one)]) : 0
    }
}

extension UnsafeMutableBufferPointer where Element: BitwiseCopyable {
    fileprivate func initializeElement(at place: Int, to value: Element) {
        (baseAddress! + place).initialize(to: value)
    }
}
