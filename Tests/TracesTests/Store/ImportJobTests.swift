import JSON
import Synchronization
import Testing
import Traces
import Workspace

@Suite("Imports as jobs")
struct ImportJobTests {
    private let fixture: StoreFixture
    private var store: TraceStore { fixture.store }
    private var jobs: Jobs { store.workspace.jobs }

    init() throws { fixture = try StoreFixture() }

    private func sessions(_ count: Int) throws -> String {
        for number in 0..<count {
            try fixture.write(MadeSession("s\(number)", steps: 2).text, to: "data/\(number).jsonl")
        }
        return fixture.folder + "/data"
    }

    @Test("one that went through is done, with its report as the result")
    func done() throws {
        let report = try store.importAsJob([sessions(2)])
        let job = try #require(try jobs.list().first)
        #expect(job.kind == TraceStore.importJob && job.title == "import data" && job.state == .done)
        #expect(job.result == report.json() && report.files == 2)
        #expect(job.done == Int64(report.bytes) && job.unit == "bytes")
    }

    @Test("one that is canceled ends as canceled, and taken up again imports the rest")
    func cancelled() throws {
        let folder = try sessions(5)
        let report = try store.importAsJob([folder]) { _ in jobs.active.forEach { $0.cancellation.cancel() } }
        #expect(report.isCancelled && report.files < 5)
        let job = try #require(try jobs.list().first)
        #expect(job.state == .cancelled && job.result == nil)

        store.registerJobs()
        try jobs.resume(job.id)
        let again = try #require(try jobs.job(job.id))
        #expect(again.state == .done && again.done == again.total)
        #expect(try store.count() == 5)
    }

    @Test("one that is canceled while it is taken up again is canceled once more")
    func cancelledAgain() throws {
        let job = try jobs.enqueue(
            TraceStore.importJob, title: "import", arguments: TraceStore.importArguments([sessions(3)]))
        store.registerJobs()
        let id = job.id
        let workspace = store.workspace
        let stop = jobs.observe { _ in try? workspace.jobs.cancel(id) }
        defer { stop() }
        try jobs.resume(id)
        #expect(try jobs.job(id)?.state == .cancelled)
        #expect(try store.count() == 0)
    }

    @Test("one that fails is failed, with the sentence")
    func failed() throws {
        let path = fixture.folder + "/missing.jsonl"
        #expect(throws: ImportError.self) { try store.importAsJob([path]) }
        let job = try #require(try jobs.list().first)
        #expect(job.state == .failed && job.error == "\(path): no such file. Check the path.")
    }

    @Test("strictness and format are kept for when it is taken up again")
    func options() throws {
        let path = try fixture.write(MadeSession("s1", steps: 1).text + "{\"type\":\n", to: "s1.jsonl")
        store.registerJobs()
        for options in [ImportOptions(isStrict: true), ImportOptions(format: "otlp")] {
            let arguments = TraceStore.importArguments([path], options: options)
            let job = try jobs.enqueue(TraceStore.importJob, title: "import", arguments: arguments)
            #expect(throws: ImportError.self) { try jobs.resume(job.id) }
            #expect(try jobs.job(job.id)?.state == .failed)
        }
        let job = try jobs.enqueue(TraceStore.importJob, title: "import", arguments: "{}")
        #expect(throws: WorkspaceError.self) { try jobs.resume(job.id) }
    }

    @Test("observers are notified of bytes before they are on disk")
    func observers() throws {
        let heard = Mutex<[Int64]>([])
        let workspace = store.workspace
        let stop = jobs.observe { job in
            // Within the transaction nothing is counted yet.
            guard job.state == .running, job.done > 0, let counted = workspace.jobs.active.first?.job.done else {
                return
            }
            if counted == 0 { heard.withLock { $0.append(job.done) } }
        }
        defer { stop() }
        let path = try fixture.write(MadeSession("s1", steps: 50).text, to: "s1.jsonl")
        let handle = try jobs.start(TraceStore.importJob, title: "import")
        let report = try store.importTraces([path], job: handle)
        try store.finish(handle, with: report)
        #expect(heard.withLock { !$0.isEmpty && $0.allSatisfy { $0 <= report.bytes } })
        #expect(handle.job.done == Int64(report.bytes))
    }
}
