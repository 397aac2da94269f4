import Dispatch
import Glibc
import Retrieval
import SearchIndexes
import Synchronization
import System
import Testing

@Suite("A server that crashes", .enabled(if: PostgreSQLFixture.isThere, "pgserver or libpq5 is not installed"))
struct PostgreSQLCrashTests {
    /// Kill -9 while a search is under way: held by a lock, so that it is.
    @Test("a crash during a search is an error, and the next search works") func crash() throws {
        let fixture = try #require(PostgreSQLFixture())
        let server = PGVectorServer(fixture.address)
        let vectors = SeededNumbers.vectors(200, 8, seed: 1)
        let collection = try VectorCollection("crash", dimension: 8, metric: .l2)
        try server.prepare(collection)
        try server.put(PGVectorServerTests.rows(vectors), into: collection) { false }
        let before = try server.search(collection, vectors[3], k: 10, effort: nil, isExact: true) { false }

        let holder = try PostgreSQLConnection(fixture.address)
        try holder.run("BEGIN; LOCK TABLE orrery_crash IN ACCESS EXCLUSIVE MODE")
        let outcome = Mutex<Result<[Neighbor], Problem>?>(nil)
        let ended = DispatchSemaphore(value: 0)
        // A thread of its own: those of tasks may all be waiting.
        DispatchQueue.global().async {
            do throws(Problem) {
                let found = try server.search(collection, vectors[3], k: 10, effort: nil, isExact: true) { false }
                outcome.withLock { $0 = .success(found) }
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
            ended.signal()
        }
        while try holder.run("SELECT count(*) FROM pg_locks WHERE NOT granted") == [["0"]] { sched_yield() }
        fixture.tell("kill")
        ended.wait()
        guard case .failure(let error) = outcome.withLock({ $0 }) else {
            Issue.record("a search without a server gave something")
            return
        }
        #expect(error.sentence.contains("the connection broke ("), "\(error.sentence)")
        #expect(error.remedy == "The workspace is unchanged. Try again when the server is running.")

        let refused = #expect(throws: Problem.self) { try server.count(collection) }
        #expect(refused?.sentence.contains("cannot connect (") == true)
        fixture.tell("start")
        #expect(try server.search(collection, vectors[3], k: 10, effort: nil, isExact: true) { false } == before)
        #expect(try server.count(collection) == 200)

        // A restart between two searches goes unnoticed.
        fixture.tell("kill")
        fixture.tell("start")
        #expect(try server.count(collection) == 200)
    }
}
