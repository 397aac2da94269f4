/// What is counted of one feature.
struct FeatureTally: BitwiseCopyable {
    var total: Double = 0
    var count: Int64 = 0
    var maximum: Float = 0
    /// The least of the top examples once all slots are taken; what is not above it is no top example.
    var leastTop: Float = 0
    /// The stratum of the maximum.
    var stratum: Int32 = 0
}
