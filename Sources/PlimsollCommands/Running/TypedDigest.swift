import PlimsollDocuments
import PlimsollJSON

/// What somebody typed, as a digest that goes with a key: the same command again has the same one,
/// whatever is read for it in between.
///
/// Every part of the command is a member, with what a file says in the place of its name. What was not
/// given is null, or not there, and so is another thing than what is empty.
func typedDigest(_ parts: JSONObject) -> String { contentDigest(parts.canonicalBytes()) }

/// What a file says, for such a digest.
func contentDigest(_ bytes: [UInt8]) -> String { ContentDigest(of: bytes).hex }
