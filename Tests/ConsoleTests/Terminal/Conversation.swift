import Glibc
import Synchronization

/// The test's half of a conversation with a process on a pseudo-terminal, on a thread of its own: while a process is
/// waited for, the threads of Swift's tasks are taken.
final class Conversation: Sendable {
    private let text = Mutex("")
    private let body: @Sendable () -> String
    private let thread = Mutex<UInt>(0)

    init(_ body: @escaping @Sendable () -> String) {
        self.body = body
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self).toOpaque()
        pthread_create(
            &thread, nil,
            { @Sendable context in
                guard let context else { return nil }
                let conversation = Unmanaged<Conversation>.fromOpaque(context).takeRetainedValue()
                let heard = conversation.body()
                conversation.text.withLock { $0 = heard }
                return nil
            }, context)
        let started = thread
        self.thread.withLock { $0 = started }
    }

    /// What the process has sent, when the conversation is over.
    var heard: String {
        pthread_join(thread.withLock { $0 }, nil)
        return text.withLock { $0 }
    }
}
