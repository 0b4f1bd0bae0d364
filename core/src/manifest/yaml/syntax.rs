use granit_parser::ErrorKind;

use super::build::DEPTH_LIMIT;
use super::problem::{SyntaxFault, TextProblem};

/// Our word for what the scanner stumbled over.
pub(super) fn syntax_fault(kind: &ErrorKind) -> TextProblem {
    use ErrorKind as E;
    use SyntaxFault as F;
    TextProblem::Syntax(match kind {
        E::RecursionLimitExceeded => return TextProblem::TooDeep { limit: DEPTH_LIMIT },
        E::TabNotAllowed
        | E::TabInBlockIndentation
        | E::TabInIndentation
        | E::TabAtBlockScalarStart
        | E::TabInPlainScalar => F::Tab,
        E::MappingValueNotAllowed
        | E::MappingKeyNotAllowed
        | E::InvalidColonPlacement
        | E::InvalidMappingValueWhitespace
        | E::FlowMappingValueAdjacentCollection => F::ColonInValue,
        E::InvalidIndentation
        | E::InvalidBlockScalarIndent
        | E::InvalidQuotedScalarIndent
        | E::InvalidFlowScalarIndent
        | E::BlockSequenceEntryNotAllowed => F::Indentation,
        E::SimpleKeyExpected | E::InvalidSimpleKey => F::MissingColon,
        E::UnclosedFlowCollection { open } => F::OpenBracket { open: *open },
        E::MismatchedFlowCollectionEnd { open, close } => F::MismatchedBracket { open: *open, close: *close },
        E::MisplacedFlowCollectionEnd => F::StrayBracket,
        E::UnclosedQuotedScalar | E::DocumentIndicatorInQuotedScalar => F::OpenQuote,
        E::InvalidTrailingSingleQuotedScalar | E::InvalidTrailingDoubleQuotedScalar => F::TextBehindQuote,
        E::UnknownQuotedScalarEscape
        | E::InvalidQuotedScalarHexEscape
        | E::InvalidLowSurrogateHexEscape
        | E::InvalidLowSurrogate
        | E::MissingLowSurrogate
        | E::UnpairedLowSurrogate
        | E::InvalidUnicodeEscape => F::Escape,
        E::MissingAnchorOrAliasName => F::AnchorName,
        E::ExpectedTagBang
        | E::InvalidGlobalTagCharacter
        | E::InvalidTagTerminator
        | E::MissingTagUri
        | E::UnclosedVerbatimTag
        | E::InvalidTagEscape
        | E::InvalidTagUtf8LeadingByte
        | E::InvalidTagUtf8TrailingByte
        | E::InvalidTagUtf8 => F::Tag,
        E::ExpectedTagDirectiveBang
        | E::InvalidDirectiveTerminator
        | E::MissingYamlVersionSeparator
        | E::MissingDirectiveName
        | E::InvalidDirectiveName
        | E::DirectiveByteLimitExceeded { .. }
        | E::TooManyReservedDirectiveParams { .. }
        | E::YamlVersionTooLong
        | E::MissingYamlVersion
        | E::InvalidTagDirectiveTerminator => F::Directive,
        E::CommentInterceptedScalar | E::CommentNotSeparated => F::Comment,
        E::ZeroBlockScalarIndent | E::InvalidBlockScalarHeader => F::BlockHeader,
        E::UnexpectedCharacter { character } => F::Character { character: *character },
        E::UnexpectedEof | E::UnexpectedEndOfPlainScalar => F::End,
        _ => F::Other,
    })
}
