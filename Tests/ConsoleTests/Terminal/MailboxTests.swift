import Console
import Synchronization
import Testing

@Suite("Mailbox")
struct MailboxTests {
    private final class Bell: Sendable {
        let rung = Mutex(0)
        var count: Int { rung.withLock { $0 } }
        func ring() { rung.withLock { $0 += 1 } }
    }

    @Test("only a message to an empty mailbox wakes the main thread")
    func wakeUps() {
        let bell = Bell()
        let mailbox = Mailbox<Int> { bell.ring() }
        for number in 1...3 { mailbox.post(number) }
        #expect(bell.count == 1)
        #expect(mailbox.drain() == [1, 2, 3])
        #expect(mailbox.drain().isEmpty)
        mailbox.post(4)
        #expect(bell.count == 2)
        #expect(mailbox.drain() == [4])
    }

    @Test("a message replaces the last pending message if it is outdated")
    func replacement() {
        let bell = Bell()
        let mailbox = Mailbox<String> { bell.ring() }
        for text in ["10 %", "20 %", "done", "30 %", "40 %"] {
            mailbox.post(text, replacing: { $0.hasSuffix("%") && text.hasSuffix("%") })
        }
        #expect(mailbox.drain() == ["20 %", "done", "40 %"])
        #expect(bell.count == 1)
    }

    @Test("messages from several threads all arrive")
    func threads() async {
        let mailbox = Mailbox<Int> {}
        await withTaskGroup(of: Void.self) { group in
            for sender in 0..<4 {
                group.addTask { for number in 0..<1_000 { mailbox.post(sender * 1_000 + number) } }
            }
        }
        let messages = mailbox.drain()
        #expect(messages.sorted() == Array(0..<4_000))
        // Messages from one sender stay in order.
        #expect(messages.filter { $0 < 1_000 } == Array(0..<1_000))
    }
}
