internal import Synchronization

/// Messages from engine tasks to the main thread: any thread posts, the main thread takes all of them at once.
///
/// ```swift
/// let mailbox = Mailbox<Progress>()
/// Task.detached { mailbox.post(.rows(1_000)) }     // ends the terminal's wait
/// for message in mailbox.drain() { panel.apply(message) }
/// ```
///
/// The terminal is woken only by the message that finds the box empty, so that a flood costs one wake-up a frame.
public final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    private let wake: @Sendable () -> Void

    /// A box whose first message wakes the terminal, or does what is said instead.
    public init(wake: @escaping @Sendable () -> Void = { Terminal.wake() }) {
        self.wake = wake
    }

    public func post(_ message: Message) {
        let wasEmpty = messages.withLock { messages in
            messages.append(message)
            return messages.count == 1
        }
        if wasEmpty { wake() }
    }

    /// Posts a message in the place of the last one when that says the same kind of thing and has not been taken yet:
    /// for progress, of which only the latest counts.
    public func post(_ message: Message, replacing outdated: (Message) -> Bool) {
        let wasEmpty = messages.withLock { messages in
            if let last = messages.last, outdated(last) {
                messages[messages.count - 1] = message
                return false
            }
            messages.append(message)
            return messages.count == 1
        }
        if wasEmpty { wake() }
    }

    /// Takes out all messages, oldest first.
    public func drain() -> [Message] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}
