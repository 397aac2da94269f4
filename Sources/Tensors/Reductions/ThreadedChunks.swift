internal import Kernels

/// Chunks of work that the threads of the process share. Chunks are cut by shapes alone.
enum ThreadedChunks {
    static func run(_ chunks: Int, _ body: (Int) -> Void) {
        ThreadPool.shared.run(chunks: chunks) { chunk, _ in body(chunk) }
    }
}
