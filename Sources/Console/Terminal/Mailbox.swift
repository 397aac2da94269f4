internal import Synchronization

/// A queue of messages from engine tasks to the main thread.
///
/// ```swift
/// let mailbox = Mailbox<Progress>()
/// Task.detached { mailbox.post(.rows(1_000)) }     // wakes the terminal
/// for message in mailbox.drain() { panel.apply(message) }
/// ```
///
/// Any thread can post, and the main thread takes all messages at once. Only a message to an empty mailbox wakes the
/// terminal, so a flood of messages causes at most one wake-up per frame.
public final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    private let wake: @Sendable () -> Void

    /// Creates an empty mailbox.
    ///
    /// - Parameter wake: Called after a message to an empty mailbox (default: wakes the terminal).
    public init(wake: @escaping @Sendable () -> Void = { Terminal.wake() }) {
        self.wake = wake
    }

    /// Appends a message.
    public func post(_ message: Message) {
        let wasEmpty = messages.withLock { messages in
            messages.append(message)
            return messages.count == 1
        }
        if wasEmpty { wake() }
    }

    /// Replaces the last message if it is outdated, or else appends the message.
    ///
    /// Use it for progress, where only the latest message matters.
    /// - Parameter outdated: Returns whether the last pending message can be replaced.
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

    /// Returns all messages, oldest first, and empties the mailbox.
    public func drain() -> [Message] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}
