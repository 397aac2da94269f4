import Inference
import Models
import Synchronization
import Testing

@Suite("A shelf of models")
struct ModelShelfTests {
    /// A model that tells when it goes.
    final class Model: Sendable {
        static let living = Mutex<Set<String>>([])
        let name: String
        init(_ name: String) {
            self.name = name
            _ = Self.living.withLock { $0.insert(name) }
        }
        deinit { Self.living.withLock { _ = $0.remove(name) } }
    }

    @Test("the least recently used model is dropped, but never one in use")
    func leastRecentlyUsed() throws {
        let shelf = ModelShelf<Model>(ModelBudget(bytes: 100))
        func use(_ name: String, _ bytes: Int) throws -> ModelShelf<Model>.Lease {
            try shelf.lease(name, bytes: bytes) { Model("lru-" + name) }
        }
        do { _ = try use("a", 40) }
        do { _ = try use("b", 40) }
        do { _ = try use("a", 40) }  // from the shelf
        #expect(shelf.items.map(\.name) == ["a", "b"])
        let c = try use("c", 50)
        #expect(shelf.items.map(\.name) == ["c", "a"])
        #expect(Model.living.withLock { $0.filter { $0.hasPrefix("lru-") }.sorted() } == ["lru-a", "lru-c"])

        #expect {
            _ = try use("d", 60)
        } throws: {
            "\($0)".contains("models in use occupy") && "\($0)".hasSuffix("Close one of them, or raise the budget.")
        }
        #expect(shelf.items.map(\.name) == ["c", "a"])  // the failed load dropped no model
        #expect(!shelf.drop("c") && shelf.drop("a"))
        #expect(shelf.bytes == 50 && shelf.peakBytes == 90 && c.model.name == "lru-c")
    }

    @Test("concurrent requests load a model once")
    func once() throws {
        let shelf = ModelShelf<Model>(ModelBudget(bytes: 100))
        var loads = 0
        func load() -> Model {
            loads += 1
            return Model("once")
        }
        let (one, two) = (try shelf.lease("m", bytes: 10, load: load), try shelf.lease("m", bytes: 10, load: load))
        #expect(loads == 1 && one.model === two.model)
        #expect(shelf.items.map(\.leases) == [2])
    }

    @Test("a load that fails leaves its room to others")
    func failure() throws {
        let shelf = ModelShelf<Model>(ModelBudget(bytes: 100))
        #expect(throws: ModelError("m", problem: "the file is corrupt")) {
            _ = try shelf.lease("m", bytes: 90) { () throws(ModelError) in
                throw ModelError("m", problem: "the file is corrupt")
            }
        }
        #expect(shelf.bytes == 0)
        #expect {
            _ = try shelf.lease("n", bytes: 2_000_000_000) { Model("n") }
        } throws: {
            "\($0)".hasPrefix("n: the model needs 2 GB, but the memory budget is 100 B.")
        }
    }

    @Test("a smaller budget takes effect when models are released")
    func smaller() throws {
        let shelf = ModelShelf<Model>(ModelBudget(bytes: 100))
        do {
            let lease = try shelf.lease("m", bytes: 80) { Model("smaller") }
            shelf.budget = ModelBudget(bytes: 50)
            #expect(shelf.items.count == 1 && lease.name == "m")
        }
        #expect(shelf.items.isEmpty)
    }
}
