% Reads FOLDER/NAME.mat, prints lambda, the modes and the tensor of ktensor(lambda, U) in
% hexadecimal, and saves NAME-octave.mat: octave-cli models.m FOLDER NAME...
folder = argv(){1};
for a = 2:numel(argv())
  name = argv(){a};
  m = load([folder "/" name ".mat"]);
  full_ = zeros(rows(m.U{1}) ^ numel(m.U), 1);
  for j = 1:numel(m.lambda)
    term = 1;
    for k = 1:numel(m.U)
      term = kron(m.U{k}(:, j), term);  % the first index is the fastest, as in a ktensor
    end
    full_ += m.lambda(j) * term;
  end
  names = "";
  if isfield(m, "names"), names = strjoin(m.names, "|"); end
  center = [];
  if isfield(m, "center"), center = m.center; end
  printf("%s\n%s\n%s\n%s\n", name, names, strjoin(cellstr(num2hex(m.lambda(:))), " "), strjoin(cellstr(num2hex(full_)), " "));
  if isempty(center), printf("\n"); else printf("%s\n", strjoin(cellstr(num2hex(center(:))), " ")); end
  printf("%d\n", numel(m.U));
  for k = 1:numel(m.U)
    printf("%s\n", strjoin(cellstr(num2hex(m.U{k}.'(:))), " "));  % by rows
  end
  lambda = m.lambda; U = m.U;
  save("-v7", [folder "/" name "-octave.mat"], "lambda", "U");
end
