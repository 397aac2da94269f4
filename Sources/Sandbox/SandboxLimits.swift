/// Limits of a program in the cage. Unless stated otherwise, each limit applies to all its processes together.
public struct SandboxLimits: Hashable, Sendable {
    /// Seconds from start to end.
    public var seconds: Double
    /// Seconds of processor time; each process has this limit from the kernel too.
    public var cpuSeconds: Double
    /// Bytes. Each process may not reserve more (the kernel refuses), and all together not hold more (they are killed).
    ///
    /// Counted are their pages, swapped ones too, and the tables of pages; shared memory exists in files of `disk` and
    /// /dev/shm (1 MiB) only. What the kernel keeps for them counts with the most it can be: each local socket with its
    /// full buffer, each mapping and each file; more than 10,000 locks of parts of files are over the limit. Messages,
    /// sockets of the network, larger buffers, semaphores of System V and pages lent to pipes are refused. Bytes in
    /// pipes are not counted: the kernel bounds them for each user (`fs.pipe-user-pages-soft`, 64 MiB).
    ///
    /// What is counted is looked at every 10 ms, mappings and locks every 100 ms: that much later they are killed.
    public var memory: Int
    /// Processes and threads.
    public var processes: Int
    /// Bytes in /tmp, the one place that can be written; a file cannot be longer either.
    public var disk: Int
    /// Bytes of output; a program that writes more is killed.
    public var output: Int
    /// Maximum number of stored bytes of standard error; earlier bytes are dropped.
    public var errors: Int

    public init(
        seconds: Double = 10, cpuSeconds: Double = 10, memory: Int = 1 << 30, processes: Int = 64,
        disk: Int = 64 << 20, output: Int = 1 << 20, errors: Int = 64 << 10
    ) {
        self.seconds = seconds
        self.cpuSeconds = cpuSeconds
        self.memory = memory
        self.processes = processes
        self.disk = disk
        self.output = output
        self.errors = errors
    }
}

/// What came of a program.
public struct SandboxOutcome: Hashable, Sendable {
    /// What ended it.
    public enum Ending: Hashable, Sendable {
        /// With this status; 0 is success. A program that bubblewrap saw die of signal n ends with the signal too.
        case exited(Int32)
        case signal(Int32)
        case limit(Limit)
        case cancelled
    }

    /// Which limit it met.
    public enum Limit: String, Hashable, Sendable {
        case wallTime = "time"
        case cpuTime = "processor time"
        case memory
        case processes
        case output
    }

    public var ending: Ending
    public var output: [UInt8]
    /// Its last bytes.
    public var standardError: [UInt8]
    public var seconds: Double
    /// As seen every 10 ms, and so a little less than it was.
    public var cpuSeconds: Double
    /// The most bytes of memory that all processes held together, as seen every 10 ms.
    public var peakMemory: Int
    public var tier: SandboxTier

    public var succeeded: Bool { ending == .exited(0) }

    /// End of the program as part of a sentence: `exited with status 1`.
    public var summary: String {
        switch ending {
        case .exited(let status): "exited with status \(status)"
        case .signal(let number): "killed by signal \(number)"
        case .limit(let limit): "reached the limit of \(limit.rawValue)"
        case .cancelled: "cancelled"
        }
    }
}
