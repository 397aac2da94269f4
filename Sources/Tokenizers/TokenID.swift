/// A token's number in its vocabulary, from 0.
public typealias TokenID = Int32
