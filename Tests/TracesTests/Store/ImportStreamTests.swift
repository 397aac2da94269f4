import Foundation
import Testing
import Traces
import Workspace

@Suite("Importing what can be read once")
struct ImportStreamTests {
    private let fixture: StoreFixture
    private var store: TraceStore { fixture.store }

    init() throws { fixture = try StoreFixture() }

    @Test("a named pipe gives every byte, and another writer's session is another source")
    func pipe() throws {
        let path = fixture.folder + "/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        for name in ["s1", "s2"] {
            // Longer than the beginning by which formats are recognized.
            let text = MadeSession(name, steps: 150).text
            #expect(text.utf8.count > 100_000)
            Thread.detachNewThread { try? Data(text.utf8).write(to: URL(fileURLWithPath: path), options: []) }
            let report = try store.importTraces([path])
            #expect(report.bytes == text.utf8.count)
            #expect(report.toolCalls == 150 && report.skipped == 0 && report.newTraces == 1)
        }
        #expect(try store.count() == 2)
    }

    @Test("a pipe without a name, as a shell makes for <(...), is read to its end")
    func unnamedPipe() throws {
        let pipe = Pipe()
        let text = MadeSession("s1", steps: 4).text
        try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try pipe.fileHandleForWriting.close()
        let report = try store.importTraces(["/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"])
        #expect(report.bytes == text.utf8.count && report.toolCalls == 4)
    }

    @Test("a pipe without a writer can be canceled, and makes no job")
    func idlePipe() throws {
        let path = fixture.folder + "/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        let cancellation = Cancellation()
        Thread.detachNewThread { cancellation.cancel() }
        #expect(try store.importAsJob([path], cancellation: cancellation).isCancelled)
        #expect(try store.workspace.jobs.list().isEmpty)
    }

    @Test("a device without content is an empty file")
    func device() {
        let error = #expect(throws: ImportError.self) { try store.importTraces(["/dev/null"]) }
        #expect(error?.sentence.hasPrefix("/dev/null: the file is empty.") == true)
    }
}
