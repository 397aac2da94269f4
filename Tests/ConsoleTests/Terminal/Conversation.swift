import Glibc
import Synchronization

/// The test's side of a conversation with a process on a pseudo-terminal.
///
/// It runs on its own thread, because waiting for a process blocks the threads of Swift tasks.
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
                let output = conversation.body()
                conversation.text.withLock { $0 = output }
                return nil
            }, context)
        let started = thread
        self.thread.withLock { $0 = started }
    }

    /// Output of the process, available when the conversation is over.
    var output: String {
        pthread_join(thread.withLock { $0 }, nil)
        return text.withLock { $0 }
    }
}
