import Dispatch
import Synchronization
import Workspace

/// Compresses blocks in order, on a separate thread if the process may use more than one processor.
///
/// At most `depth` blocks wait, so that memory stays bounded whichever side is slower.
final class CompressionLane {
    typealias Keep = (_ key: Int64, _ data: UnsafeRawBufferPointer) throws -> Void

    private let mode: Mode
    private static let depth = 8

    private enum Mode {
        case inline(Compressor)
        case beside(Worker)
    }

    /// - Parameter beside: Whether to use a second thread.
    init(beside: Bool) throws {
        mode = beside ? .beside(Worker()) : .inline(try Compressor())
    }

    /// Takes a block, leaving an empty array with room; hands over whatever is compressed by now.
    func compress(_ block: inout [UInt8], key: Int64, into keep: Keep) throws {
        switch mode {
        case .inline(let compressor):
            try block.withUnsafeBytes { bytes in try compressor.withCompressed(bytes) { try keep(key, $0) } }
            block.removeAll(keepingCapacity: true)
        case .beside(let worker):
            var recycled = worker.takeRoom()
            swap(&block, &recycled)
            worker.submit(key, recycled)
            while let (key, data) = try worker.next(waiting: worker.waiting >= Self.depth) {
                try data.withUnsafeBytes { try keep(key, $0) }
            }
        }
    }

    /// Hands over all that was taken.
    func drain(into keep: Keep) throws {
        guard case .beside(let worker) = mode else { return }
        while let (key, data) = try worker.next(waiting: worker.waiting > 0) {
            try data.withUnsafeBytes { try keep(key, $0) }
        }
    }

    /// Forgets what was taken, after a failure.
    func discard() {
        guard case .beside(let worker) = mode else { return }
        while worker.waiting > 0 { _ = try? worker.next(waiting: true) }
    }

    /// The second thread: a serial queue with a tray on each side.
    private final class Worker {
        private struct Trays {
            var done: [(Int64, Result<[UInt8], PayloadError>)] = []
            var rooms: [[UInt8]] = []
        }

        // Unchecked for the compressor: only blocks of the queue use it, one after the other.
        private final class Shared: @unchecked Sendable {
            let trays = Mutex(Trays())
            let ready = DispatchSemaphore(value: 0)
            private var compressor: Compressor?

            func compress(_ key: Int64, _ bytes: consuming [UInt8]) {
                let result = Result<[UInt8], PayloadError> { () throws(PayloadError) in
                    if compressor == nil { compressor = try Compressor() }
                    return try compressor!.compress(bytes)
                }
                var room = consume bytes
                room.removeAll(keepingCapacity: true)
                trays.withLock { trays in
                    trays.done.append((key, result))
                    if trays.rooms.count < CompressionLane.depth { trays.rooms.append(room) }
                }
                ready.signal()
            }
        }

        private let shared = Shared()
        private let queue = DispatchQueue(label: "orrery.compression")
        /// Blocks submitted and not yet taken back.
        private(set) var waiting = 0

        func takeRoom() -> [UInt8] { shared.trays.withLock { $0.rooms.popLast() } ?? [] }

        func submit(_ key: Int64, _ bytes: [UInt8]) {
            waiting += 1
            queue.async { [shared] in shared.compress(key, bytes) }
        }

        /// The next compressed block; `nil` if none is ready and there is no need to wait.
        func next(waiting wait: Bool) throws -> (Int64, [UInt8])? {
            guard waiting > 0 else { return nil }
            if wait {
                shared.ready.wait()
            } else if shared.ready.wait(timeout: .now()) == .timedOut {
                return nil
            }
            waiting -= 1
            let (key, result) = shared.trays.withLock { $0.done.removeFirst() }
            return (key, try result.get())
        }
    }
}
