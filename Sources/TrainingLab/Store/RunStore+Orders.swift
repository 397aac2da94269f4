internal import GRDB
internal import System
public import Training
internal import Workspace

extension RunStore {
    /// Asks something of a running run, here or in another process: it takes the order once, within a second.
    ///
    /// - Throws: `Problem` if no process would receive the order.
    public func send(_ order: RunOrder, to run: Int64) throws {
        let now = Clock.nanoseconds(.wall)
        guard let summary = try self.run(run, at: now) else {
            throw Problem(.missing, "", "Run \(run) does not exist", remedy: "List runs with orrery train list.")
        }
        guard !summary.isForeign else {
            throw Problem(
                .invalid, "", "\(summary.name) belongs to another program, so it can be watched but not changed here")
        }
        guard summary.state.isLive else {
            throw Problem(
                .failed, "", "\(summary.name) is \(summary.state.word)",
                remedy: "Only a running or paused run can be changed.")
        }
        if case .scaleLearningRate(let factor) = order, !factor.isFinite || factor < 0 {
            throw Problem(
                .invalid, "", "The learning rate factor \(factor) is invalid", remedy: "Use a number of at least 0.")
        }
        try workspace.write { db in
            let (kind, value) = order.stored
            try db.execute(
                sql: "INSERT INTO training_order (run, kind, value_bits, sent) VALUES (?, ?, ?, ?)",
                arguments: [run, kind, Int64(bitPattern: value.bitPattern), now])
        }
    }

    /// Orders that a run has not taken yet, the oldest first.
    public func pendingOrders(of run: Int64) throws -> [RunOrder] {
        try workspace.read { db in try Self.waitingOrders(of: run, db).map(\.order) }
    }

    static func waitingOrders(of run: Int64, _ db: Database) throws -> [(id: Int64, order: RunOrder)] {
        let row = try Workspace.Statement(
            db, "SELECT id, kind, value_bits FROM training_order WHERE run = ? AND taken IS NULL ORDER BY id")
        row.bind(1, run)
        var orders: [(id: Int64, order: RunOrder)] = []
        while try row.step() {
            let value = Double(bitPattern: UInt64(bitPattern: row.int64(2)))
            if let order = RunOrder(kind: row.int(1), value: value) { orders.append((row.int64(0), order)) }
        }
        return orders
    }
}

extension RunOrder {
    /// Numbers that are stored: never renumber.
    var stored: (kind: Int, value: Double) {
        switch self {
        case .pause: (0, 0)
        case .resume: (1, 0)
        case .stop: (2, 0)
        case .scaleLearningRate(let factor): (3, factor)
        case .checkpoint: (4, 0)
        }
    }

    init?(kind: Int, value: Double) {
        switch kind {
        case 0: self = .pause
        case 1: self = .resume
        case 2: self = .stop
        case 3: self = .scaleLearningRate(value)
        case 4: self = .checkpoint
        default: return nil
        }
    }
}
