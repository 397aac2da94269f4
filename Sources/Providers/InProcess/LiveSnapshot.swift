/// How a model in this process runs at a moment.
public struct LiveSnapshot: Sendable {
    public var model: String
    /// Over the answer so far; 0 before its second token.
    public var tokensPerSecond: Double
    public var promptTokens: Int
    /// Tokens of the prompt whose keys and values were still there from an answer before.
    public var reusedTokens: Int
    public var secondsToFirstToken: Double?
    public var threads: Int
    /// Positions of a page.
    public var pageSize: Int
    /// Bytes of the pages of this answer.
    public var pageBytes: Int
    public var pages: [Page]
    /// Passes that `operations` add up.
    public var passes: Int
    public var operations: [Operation]
    /// How a mixture of experts spread its tokens; nil for other models.
    public var experts: Experts?

    /// The router of a mixture of experts, over all layers.
    public struct Experts: Hashable, Sendable {
        /// Each expert's share of the choices; they sum to 1.
        public var shares: [Double]
        /// E Σ fₑ Pₑ, the mean over layers: 1 in perfect balance, E where one expert takes everything.
        public var imbalance: Double

        public init(shares: [Double], imbalance: Double) {
            self.shares = shares
            self.imbalance = imbalance
        }
    }

    /// A page of keys and values.
    public struct Page: Hashable, Sendable {
        /// Sequences that hold it.
        public var owners: Int
        /// Positions that are written.
        public var filled: Int

        public init(owners: Int, filled: Int) {
            self.owners = owners
            self.filled = filled
        }
    }

    /// What passes spent on an operation.
    public struct Operation: Hashable, Sendable {
        /// `ffn up gate`.
        public var name: String
        /// The kernel's name in the kernel catalog.
        public var kernel: String
        /// Its sizes, as the catalog writes them.
        public var shape: String
        public var seconds: Double
        public var calls: Int
        public var flops: Double
        public var bytes: Double

        public init(
            name: String, kernel: String, shape: String, seconds: Double, calls: Int, flops: Double, bytes: Double
        ) {
            self.name = name
            self.kernel = kernel
            self.shape = shape
            self.seconds = seconds
            self.calls = calls
            self.flops = flops
            self.bytes = bytes
        }
    }

    public init(
        model: String, tokensPerSecond: Double = 0, promptTokens: Int = 0, reusedTokens: Int = 0,
        secondsToFirstToken: Double? = nil, threads: Int = 1, pageSize: Int = 0, pageBytes: Int = 0,
        pages: [Page] = [], passes: Int = 0, operations: [Operation] = [], experts: Experts? = nil
    ) {
        self.model = model
        self.tokensPerSecond = tokensPerSecond
        self.promptTokens = promptTokens
        self.reusedTokens = reusedTokens
        self.secondsToFirstToken = secondsToFirstToken
        self.threads = threads
        self.pageSize = pageSize
        self.pageBytes = pageBytes
        self.pages = pages
        self.passes = passes
        self.operations = operations
        self.experts = experts
    }
}
